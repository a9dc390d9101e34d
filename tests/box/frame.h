#pragma once

/* What box on the host and its agent in the guest say to each other on the guest's first serial line, which both hold raw:
 * frames of a kind, a length (little endian) and so many bytes.  The host keeps silent until it has seen FRAME_READY. */

#include <stdint.h>

enum {
	FRAME_READY = 'R',  /* guest: the box is up, COMMAND starts now */
	FRAME_OUT   = 'O',  /* guest: COMMAND wrote this to its standard output (or its terminal) */
	FRAME_ERR   = 'E',  /* guest: … to its standard error */
	FRAME_EXIT  = 'X',  /* guest: COMMAND ended; one byte, the exit status as a shell gives it */
	FRAME_MORE  = 'M',  /* guest: the last FRAME_IN is taken, the next may come */
	FRAME_IN    = 'I',  /* host: input for COMMAND, FRAME_IN_MAX bytes at most: a line that is throttled never wakes up again */
	FRAME_EOF   = 'Z',  /* host: end of input */
	FRAME_SIZE  = 'S',  /* host: the terminal's new size: rows, columns (two bytes each, little endian) */
};

enum {
	FRAME_HEAD = 4,     /* kind, 0, length */
	FRAME_MAX  = 4096,  /* bytes after the head */
	FRAME_IN_MAX = 2048,
};

static inline void frame_head(uint8_t head[static FRAME_HEAD], int kind, unsigned len)
{
	head[0] = (uint8_t) kind;
	head[1] = 0;
	head[2] = (uint8_t) (len & 0xff);
	head[3] = (uint8_t) (len >> 8);
}

static inline unsigned frame_len(const uint8_t head[static FRAME_HEAD])
{
	return head[2] | (unsigned) head[3] << 8;
}
