// Time zones and languages that this browser knows. Page scripts can't change the answer here.

export const zones = () => Intl.supportedValuesOf("timeZone");

// Returns each as the browser writes it, or null if it is unknown; "" stays "".
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
