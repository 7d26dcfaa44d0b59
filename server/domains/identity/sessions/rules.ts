const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
const UNUSED_MS = 30 * DAY_MS
const LONGEST_MS = 90 * DAY_MS

/** When a session that is used now ends: 30 days later, and 90 days after its start at the latest. */
export function sessionExpiry({ now, startedAt }: { now: Date; startedAt: Date }): Date {
  return new Date(Math.min(now.getTime() + UNUSED_MS, startedAt.getTime() + LONGEST_MS))
}

/** Whether a session's end should move on: at most once an hour, so that reading does not mean writing. */
export function isExtensionDue(lastSeenAt: Date, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() >= HOUR_MS
}

/** Names in user agents, the more special before those that they also carry. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** A readable name for a session's device, from its `User-Agent`: "Chrome on Windows". */
export function deviceName(userAgent: string): string {
  const nameIn = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}
