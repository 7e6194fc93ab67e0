// The browser and the system in the text by which a browser names itself. Pure.

export interface Device {
  readonly browser: string | undefined;
  readonly system: string | undefined;
}

/** The first that fits: browsers name others too, for the sake of old pages. */
const BROWSERS = [
  ['Edge', /\bEdgA?\/|\bEdgiOS\//],
  ['Opera', /\bOPR\/|\bOPiOS\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\b(?:Headless)?Chrome\/|\bCriOS\/|\bChromium\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
] as const;

const SYSTEMS = [
  ['Windows', /\bWindows NT\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
] as const;

export function deviceOf(agent: string): Device {
  const [browser] = BROWSERS.find(([, pattern]) => pattern.test(agent)) ?? [];
  const [system] = SYSTEMS.find(([, pattern]) => pattern.test(agent)) ?? [];
  return { browser, system };
}
