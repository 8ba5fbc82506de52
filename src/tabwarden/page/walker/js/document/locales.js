// Time zones and languages that this browser knows. Page scripts can't change the result in this
// world.

export const zones = () => Intl.supportedValuesOf("timeZone");

// Returns each value as the browser writes it, or null for an unknown value; "" stays "".
export const judged = (zone, locale) => ({
  zone: zone && known(() => zone[0] !== "+" && zone[0] !== "-" && zoneOf({ timeZone: zone })),
  locale: locale && known(() => Intl.DateTimeFormat.supportedLocalesOf(locale)[0]),
});

const zoneOf = (options) => new Intl.DateTimeFormat("en", options).resolvedOptions().timeZone;

function known(ask) {
  try {
    return ask() || null;
  } catch {
    return null;
  }
}
