/* A library, or a program, of another user. */
#include <stdio.h>

void tell(void) { puts("the secret of somebody else"); }

#ifdef PROGRAM
int main(void) { tell(); }
#endif
