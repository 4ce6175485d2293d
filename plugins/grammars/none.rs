// Empty: only the C sources of the dependencies are used.
