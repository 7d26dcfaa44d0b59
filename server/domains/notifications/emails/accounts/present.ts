import { readableDate, type Templates } from '../rules.ts'

const NOT_YOU = 'If this wasn’t you, contact us right away.'
const SECURITY = { label: 'Review your security', path: '/dashboard/security' }

/** Emails about one's own account. */
export const accountTemplates = {
  'email.confirm': (_message, { brand }, path) => ({
    subject: `Verify your email for ${brand}`,
    paragraphs: [
      `Open the link below to verify that this is your email address for ${brand}. The link expires in 48 hours.`,
      'If you didn’t request this, you can ignore this email.',
    ],
    action: { label: 'Verify my email', path },
  }),
  'email.change-requested': (_message, { brand }) => ({
    subject: 'Your email is about to change',
    paragraphs: [
      `Someone, hopefully you, asked to change the email address of your ${brand} account. It changes once the link we sent to the new address is opened.`,
      'If this wasn’t you, change your password and contact us right away.',
    ],
    action: SECURITY,
  }),
  'email.taken': (_message, { brand }) => ({
    subject: 'Someone tried to use your email',
    paragraphs: [
      `Someone tried to use this email address for another ${brand} account. Nothing changed. It still belongs to your account.`,
      'If this was you, log in with this email address instead. If you forgot your password, reset it.',
    ],
    action: { label: 'Log in', path: '/login' },
  }),
  'password.reset': (_message, _site, path) => ({
    subject: 'Reset your password',
    paragraphs: [
      'Someone, hopefully you, asked to reset your password. The link works once and expires in one hour.',
      'If this wasn’t you, you can ignore this email. Your password stays the same.',
    ],
    action: { label: 'Choose a new password', path },
  }),
  'password.changed': (_message, { brand }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `The password for your ${brand} account was changed. You’ve been logged out everywhere else.`,
      'If this wasn’t you, reset your password and contact us right away.',
    ],
    action: { label: 'Reset your password', path: '/reset' },
  }),
  'factor.added': ({ data }) => ({
    subject: 'Two-factor authentication was added',
    paragraphs: [
      `${data.passkey === null ? 'An authenticator app' : `The passkey “${data.passkey}”`} was added to your account. You’ll need it to log in from now on.`,
      NOT_YOU,
    ],
    action: SECURITY,
  }),
  'factor.removed': ({ data }) => ({
    subject: 'Two-factor authentication was removed',
    paragraphs: [
      `${data.passkey === null ? 'The authenticator app' : `The passkey “${data.passkey}”`} was removed from your account.`,
      ...(data.last ? ['Only your password protects it now, and your recovery codes no longer work.'] : []),
      NOT_YOU,
    ],
    action: SECURITY,
  }),
  'bank-details.changed': ({ data: { lastFour, until, added } }, { brand }) => ({
    subject: added ? 'Your bank details were added' : 'Your bank details were changed',
    paragraphs: [
      `Payouts from ${brand} now go to the account that ends in ${lastFour}. To keep your money safe, nothing is paid there before ${readableDate(until)}.`,
      'If this wasn’t you, change your password and contact us right away.',
    ],
    action: SECURITY,
  }),
  'recovery-code.used': ({ data }) => ({
    subject: 'A recovery code was used',
    paragraphs: [
      `One of your recovery codes was used. You have ${data.left} left.`,
      'If this wasn’t you, change your password and create new codes right away.',
    ],
    action: SECURITY,
  }),
  'deletion.requested': ({ data }) => ({
    subject: 'Your account will be deleted',
    paragraphs: [
      'Your account will be deleted within 30 days. No one can see it anymore.',
      `To keep your account, log in before ${readableDate(data.erasedBy)}. Everything will be back as it was.`,
    ],
    action: { label: 'Log in to keep it', path: '/login' },
  }),
  'deletion.undone': () => ({
    subject: 'Your account won’t be deleted',
    paragraphs: ['You logged in, so we canceled the deletion. Everything is back as it was.'],
    action: { label: 'Go to your dashboard', path: '/dashboard' },
  }),
  'account.suspended': ({ data }, { brand }) =>
    data.ended
      ? {
          subject: 'Your account is no longer suspended',
          paragraphs: [`You can log in to ${brand} again.`],
          action: { label: 'Log in', path: '/login' },
        }
      : {
          subject: 'Your account is suspended',
          paragraphs: [
            `You can’t log in to ${brand} while your account is suspended.`,
            'Contact us if you think this is a mistake.',
          ],
          action: { label: 'Contact us', path: '/contact' },
        },
  'export.ready': () => ({
    subject: 'Your data is ready',
    paragraphs: ['A copy of your data is ready. You can download it for 7 days.'],
    action: { label: 'Download your data', path: '/dashboard/privacy' },
  }),
  'creator.leaving': ({ data }) => ({
    subject: 'Download what you bought',
    paragraphs: [
      `${data.username} is deleting their account. You can view and download what you bought from them until ${readableDate(data.until)}.`,
      'After that, it will be gone. Your payments stay in your purchase history.',
    ],
    action: { label: 'See your content', path: '/yourcontent' },
  }),
} satisfies Templates
