// Time zones and languages as this browser knows them; no page script can have a word in it here.

const zones = () => Intl.supportedValuesOf("timeZone");

// Each as the browser writes it, null for what it does not know; "" stays "".
const judged = (zone, locale) => ({
  zone: zone && known(() => zone[0] !== "+" && zone[0] !== "-" && zoneOf({ timeZone: zone })),
  locale: locale && known(() => Intl.DateTimeFormat.supportedLocalesOf(locale)[0]),
});

const zoneOf = (options) => new Intl.DateTimeFormat("en", options).resolvedOptions().timeZone;

const known = (ask) => {
  try {
    return ask() || null;
  } catch {
    return null;
  }
};
