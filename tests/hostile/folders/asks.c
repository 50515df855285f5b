/* Calls another user's library, which prints its secret. */
void tell(void);

int main(void) { tell(); }
