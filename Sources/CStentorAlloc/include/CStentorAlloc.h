// Counts memory allocations of the program that links it, for the bench only: its malloc, calloc and realloc stand before libc's.
#pragma once
#include <stdint.h>

/// Allocations since the program began, of all threads.
int64_t stentor_allocation_count(void);
