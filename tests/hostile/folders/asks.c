/* Prints what the library of somebody else tells. */
void tell(void);

int main(void) { tell(); }
