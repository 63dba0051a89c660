#include "d2l/show.h"
int main() {}
