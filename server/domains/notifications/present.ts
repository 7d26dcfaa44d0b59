import escapeHtml from 'escape-html'
import type { Delivery } from '../../../contract/notifications.ts'

/** The site as its mails name it. */
export type EmailContext = { brand: string; publicUrl: string; contact: string }

type Message = Delivery['message']
type Of<K extends Message['kind']> = Extract<Message, { kind: K }>

type EmailContent = {
  subject: string
  /** Plain text, a few sentences each; line ends stay. */
  paragraphs: string[]
  /** Where the mail leads: a path of this site, and what stands on the button. */
  action?: { label: string; path: string }
}

const NOT_YOU = 'If this wasn’t you, contact us right away.'
const SECURITY = { label: 'Review your security', path: '/dashboard/security' }

/** One template for each kind. None but the operator's carries words that a person typed for somebody else to read. */
const templates: {
  [K in Message['kind']]: (message: Of<K>, site: EmailContext, link: string) => EmailContent
} = {
  'email.confirm': (_message, { brand }, path) => ({
    subject: `Confirm your email for ${brand}`,
    paragraphs: [
      `Open the link below to confirm that this is your email for ${brand}. It works for 48 hours.`,
      'If you didn’t ask for this, you can ignore this message.',
    ],
    action: { label: 'Confirm my email', path },
  }),
  'email.change-requested': (_message, { brand }) => ({
    subject: 'Your email is about to change',
    paragraphs: [
      `Someone, hopefully you, asked to use another email for your account at ${brand}. It changes once the link that we sent there is opened.`,
      'If this wasn’t you, change your password and contact us right away.',
    ],
    action: SECURITY,
  }),
  'email.taken': (_message, { brand }) => ({
    subject: 'Someone tried to use your email',
    paragraphs: [
      `Someone asked to use this email for another account at ${brand}. Nothing changed: it stays with your account.`,
      'If this was you, log in with this email instead. If you forgot the password, reset it.',
    ],
    action: { label: 'Log in', path: '/login' },
  }),
  'password.reset': (_message, _site, path) => ({
    subject: 'Reset your password',
    paragraphs: [
      'Someone, hopefully you, asked for a new password. The link works once, for one hour.',
      'If this wasn’t you, you can ignore this message; your password stays the same.',
    ],
    action: { label: 'Choose a new password', path },
  }),
  'password.changed': (_message, { brand }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account at ${brand} was changed. You’re logged out everywhere else.`,
      'If this wasn’t you, reset it and contact us right away.',
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
  'recovery-code.used': ({ data }) => ({
    subject: 'A recovery code was used',
    paragraphs: [
      `One of your recovery codes was used; ${data.left} are left.`,
      'If this wasn’t you, change your password and make new codes right away.',
    ],
    action: SECURITY,
  }),
  'deletion.requested': ({ data }) => ({
    subject: 'Your account will be deleted',
    paragraphs: [
      'Your account will be deleted within 30 days. Nobody can see it anymore.',
      `You can undo it before ${data.erasedBy}: log in, and everything is as it was.`,
    ],
    action: { label: 'Log in to keep it', path: '/login' },
  }),
  'deletion.undone': () => ({
    subject: 'Your account stays',
    paragraphs: ['You logged in, so your account won’t be deleted. Everything is as it was.'],
    action: { label: 'Go to your dashboard', path: '/dashboard' },
  }),
  'export.ready': () => ({
    subject: 'Your data is ready',
    paragraphs: ['Everything we hold about your account is ready to download for 7 days.'],
    action: { label: 'Download it', path: '/dashboard/privacy' },
  }),
  'creator.leaving': ({ data }) => ({
    subject: 'Download what you bought',
    paragraphs: [
      `${data.username} is leaving. You can watch and download what you bought from them until ${data.until}.`,
      'After that it’s gone. What you paid stays in your list of purchases.',
    ],
    action: { label: 'See what you own', path: '/yourcontent' },
  }),
  'contact.message': ({ data }, { brand }) => ({
    subject: `${brand}: message from ${data.email}`,
    paragraphs: [
      [
        `Answer to: ${data.email}`,
        `Name: ${data.name || 'not given'}`,
        `Account: ${data.username ?? 'not logged in'}`,
      ].join('\n'),
      data.message,
    ],
  }),
}

/** A message as an e-mail, plain text and HTML; everything in it is escaped. `link`: the path that a link mail leads to. */
export function renderEmail(
  message: Message,
  site: EmailContext,
  link = '',
): { subject: string; text: string; html: string } {
  const template = templates[message.kind] as (
    message: Message,
    site: EmailContext,
    link: string,
  ) => EmailContent
  const { subject, paragraphs, action } = template(message, site, link)
  const address = action ? `${site.publicUrl}${action.path}` : null
  const contact = escapeHtml(site.contact)
  const body = paragraphs
    .map(
      (text) =>
        `<p style="margin:0 0 16px;font-size:16px;line-height:1.5;white-space:pre-wrap">${escapeHtml(text)}</p>`,
    )
    .join('\n')
  const button =
    action && address
      ? `<p style="margin:8px 0 24px"><a href="${escapeHtml(address)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#26221e;color:#ffffff;font-size:16px;text-decoration:none">${escapeHtml(action.label)}</a></p>`
      : ''
  return {
    subject: subject.includes(site.brand) ? subject : `${subject} · ${site.brand}`,
    text: [...paragraphs, ...(address ? [address] : []), `Questions? Write to ${site.contact}.`].join('\n\n'),
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f4f1;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;color:#26221e">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:22px;font-weight:600">${escapeHtml(subject)}</h1>
${body}
${button}
<p style="margin:0;font-size:14px;line-height:1.5;color:#6b645c">Questions? Write to <a href="mailto:${contact}" style="color:inherit">${contact}</a>.</p>
</div>
</body>
</html>
`,
  }
}
