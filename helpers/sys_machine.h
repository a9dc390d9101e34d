/* What kind of computer this is. */
#pragma once

void machine_print(void); /* the record of list; none for one of metal */
