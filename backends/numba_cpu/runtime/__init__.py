"""What generated kernels call. Everything here also runs as plain Python, for tests without a compiler."""
