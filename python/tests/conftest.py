"""What all tests share."""

import signal

# Where the tests run in the background, Ctrl-C may be ignored, and children inherit that. Some tests send it to theirs.
signal.signal(signal.SIGINT, signal.default_int_handler)
