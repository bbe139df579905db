"""The models of all packages, where Django looks for them. Any package may read them; each writes its own."""

from games.files.models import *
from games.money.models import *
from games.play.models import *
from games.seasons.models import *
from games.tables.models.access import *
from games.tables.models.limits import *
from games.tables.models.pen import *
from games.tables.models.people import *
