/* A library that makes the n-th allocation or system call of a program fail. Loaded with LD_PRELOAD by campaign.py. */
#pragma once

#include <stdbool.h>

/* What fails at a point of a campaign. */
typedef enum FaultKind {
	FAULT_NONE,   /* nothing; allocations are counted */
	FAULT_MALLOC, /* one allocation */
	FAULT_MEMORY, /* an allocation and all later ones */
	FAULT_ENOSPC, /* a system call that changes files */
	FAULT_EIO,    /* any system call about files */
	FAULT_EINTR,  /* a system call that may be interrupted */
	FAULT_SHORT,  /* half of a read or write is done */
	FAULT_EMFILE, /* a call that opens a file or a pipe */
	FAULT_EAGAIN, /* a call that starts a thread or a process */
	FAULT_KILL,   /* the process is killed before a system call that changes files */
	FAULT_INT,    /* the process gets SIGINT before a system call about files */
	FAULT_ORDER,  /* nothing; system calls that change files or write them to the disk are listed (order.py) */
	FAULT_KINDS
} FaultKind;

/* Starts to count, with point `n` of the kind to come. */
void faults_arm(FaultKind kind, long n);
/* Counts a possible point of the current kind. Returns whether it is the one to fail. */
bool faults_due(void);
/* Returns the current kind. */
FaultKind faults_kind(void);
/* Lists the system calls made from now on in a new file. */
void faults_list_calls(const char *path);
/* Sends all system calls about files to a handler that makes one of them fail. */
void faults_trap_calls(void);
