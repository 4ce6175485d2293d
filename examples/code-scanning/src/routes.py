def direction(port):
    if port == "north":
        return 1
    else if port == "south":
        return -1
