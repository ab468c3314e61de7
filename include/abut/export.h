/* Visibility of the public symbols; everything else is hidden. */
#ifndef ABUT_EXPORT_H
#define ABUT_EXPORT_H

#if defined(__GNUC__)
#define ABUT_API __attribute__((visibility("default")))
#else
#define ABUT_API
#endif

#endif
