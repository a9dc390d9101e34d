/* The least that a curses program can be: what nas-setup's first screen is compared with. */
#include <curses.h>
#include <locale.h>

int main(void)
{
        setlocale(LC_ALL, "");
        initscr();
        box(stdscr, 0, 0);
        mvaddstr(2, 2, "bare");
        refresh();
        getch();
        return endwin();
}
