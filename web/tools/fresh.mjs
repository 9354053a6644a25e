// Builds the site in dist/ only if one of its inputs has changed.
import {build} from './build.mjs';
import {isUpToDate, recorded} from './built.mjs';

/**
 * Builds the site unless dist/ is up to date.
 *
 * @throws {Failure} if the build fails; the last good dist/ stays
 */
export async function buildIfChanged() {
  if (!isUpToDate()) await recorded(build);
}
