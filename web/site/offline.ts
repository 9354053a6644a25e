// The script of an offline page. Its widgets are not drawn yet: each holds its room until it is.

import {widgetsIn} from '../elements/start.js';
import {reserve} from '../embed/placeholder.js';

reserve(widgetsIn(document));
void import('./page.js');
