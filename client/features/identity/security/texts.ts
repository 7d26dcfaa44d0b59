/** The page on which people protect their account. */
export const securityTexts = {
  title: 'Security',
  lead: 'How you log in, and where you’re logged in.',
  leadRequired: 'Your role requires two-factor authentication. Set it up to use everything else.',
} as const

/** Its section on the email. */
export const emailTexts = {
  title: 'Email',
  current: 'Your current email is',
  sent: 'We sent a link to',
  open: 'Open it to start using this email.',
  cancel: 'Cancel email change',
  canceled: 'Your email stays the same',
  label: 'New email',
  hint: 'We’ll send a link there to verify it, and a notice to your current email.',
  same: 'This is already your email.',
  submit: 'Change email',
  lost: 'Your new email isn’t saved yet.',
} as const

/** Its section on the password. */
export const passwordTexts = {
  title: 'Password',
  current: 'Current password',
  label: 'New password',
  hint: 'At least 8 characters, and not a common password. You’ll be logged out everywhere else.',
  submit: 'Change password',
  lost: 'Your new password isn’t saved yet.',
} as const

/** Its section on two-factor authentication. */
export const twoFactorTexts = {
  title: 'Two-factor authentication',
  on: 'On',
  off: 'Off',
  loadFailed: 'We couldn’t load two-factor authentication',
  app: 'Authenticator app',
  appSince: (moment: string) => `On since ${moment}`,
  appHint: 'An app on your phone shows a code that changes every 30 seconds.',
  removeApp: 'Remove the authenticator app',
  theApp: 'the authenticator app',
  setUpApp: 'Set up the app',
  remove: 'Remove',
  passkeyNote: (added: string, used: string | null) =>
    `Passkey, added ${added}${used ? `, last used ${used}` : ''}`,
  removePasskey: (name: string) => `Remove the passkey ${name}`,
  thePasskey: (name: string) => `the passkey “${name}”`,
  passkey: 'Passkey',
  anotherPasskey: 'Another passkey',
  passkeyHint:
    'Use your fingerprint, face, PIN, or a security key. A passkey also logs you in without a password.',
  noPasskeys: 'This browser doesn’t support passkeys.',
  addPasskey: 'Add a passkey',
  recoveryCodes: 'Recovery codes',
  codesLeft: (left: number) => `${left} of 10 left. Use one when you can’t use anything else.`,
  newCodes: 'New codes',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeHint: 'You won’t need it to log in anymore. You can set it up again at any time.',
} as const

/** The dialog that sets up an authenticator app. */
export const appSetupTexts = {
  title: 'Set up an authenticator app',
  scan: 'Scan this with your app, or enter the key.',
  qr: 'QR code for your authenticator app',
  key: 'Key for your authenticator app',
  code: 'Code from the app',
  submit: 'Turn on',
} as const

/** The dialog that adds a passkey. */
export const passkeySetupTexts = {
  title: 'Add a passkey',
  about: 'Your device stores it and asks for your fingerprint, face, PIN, or security key when you log in.',
  name: 'Name',
  nameHint: 'Something you’ll recognize, like “My phone”.',
  submit: 'Create passkey',
} as const

/** New recovery codes. */
export const codesTexts = {
  title: 'Save your recovery codes',
  about:
    'If you lose your app or passkey, each of these codes logs you in once. This is the only time we show them. Keep them somewhere safe.',
  list: 'Recovery codes',
  file: (brand: string, codes: string[]) =>
    `Recovery codes for ${brand}. Each works once.\n\n${codes.join('\n')}\n`,
  copy: 'Copy',
  copied: 'Copied',
  download: 'Download',
  copyFailed: 'We couldn’t copy the codes. Select them instead.',
  done: 'I saved them',
} as const

/** Its section on where the account is logged in. */
export const sessionsTexts = {
  title: 'Where you’re logged in',
  logOutOthers: 'Log out everywhere else',
  loadFailed: 'We couldn’t load your sessions',
  thisOne: 'This device',
  active: 'Active now',
  seen: (date: string) => `Last seen ${date}`,
  since: (date: string) => `Logged in ${date}`,
  logOutDevice: (device: string) => `Log out ${device}`,
  logOut: 'Log out',
} as const
