#!/bin/bash
# The screens in German: nothing cut, and as tests/screens/de has them.
exec "$(dirname "$0")/run" -l de
