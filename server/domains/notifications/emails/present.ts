import escapeHtml from 'escape-html'
import { accountTemplates } from './accounts/present.ts'
import { buyingTemplates } from './buying/present.ts'
import { conversationTemplates } from './conversations/present.ts'
import { promotionTemplates } from './promotion/present.ts'
import type { EmailContent, EmailContext, Message, Templates } from './rules.ts'
import { sellingTemplates } from './selling/present.ts'

type EmailParts = { link?: string; lines?: readonly string[]; unsubscribe?: string | null }

/** Of a digest and of a summary. */
const collected = (brand: string, lines: readonly string[] = []): EmailContent => ({
  subject: `What’s new on ${brand}`,
  paragraphs: ['Here’s what you haven’t seen yet:', lines.map((line) => `• ${line}`).join('\n')],
  action: { label: 'See your notifications', path: '/dashboard/notifications' },
})

/** One template for each kind. */
const templates: Required<Templates> = {
  ...accountTemplates,
  ...buyingTemplates,
  ...sellingTemplates,
  ...conversationTemplates,
  ...promotionTemplates,
  'notifications.digest': (_message, { brand }, _link, lines) => collected(brand, lines),
  'notifications.summary': (_message, { brand }, _link, lines) => collected(brand, lines),
  'contact.message': ({ data }, { brand }) => ({
    subject: `${brand}: ${[data.caseNumber, 'message from', data.email].filter(Boolean).join(' ')}`,
    paragraphs: [
      [
        ...(data.caseNumber ? [`Case number: ${data.caseNumber}`] : []),
        `Reply to: ${data.email}`,
        `Name: ${data.name || 'not given'}`,
        `Account: ${data.username ?? 'not logged in'}`,
      ].join('\n'),
      data.message,
    ],
  }),
}

/**
 * A message as an email, plain text and HTML; everything in it is escaped. `link`: the path that a link mail leads to;
 * `lines`: what a digest lists; `unsubscribe`: the address at which mails like this are ended.
 */
export function renderEmail(
  message: Message,
  site: EmailContext,
  { link = '', lines = [], unsubscribe = null }: EmailParts = {},
): { subject: string; text: string; html: string } {
  const template = templates[message.kind] as (
    message: Message,
    site: EmailContext,
    link: string,
    lines: readonly string[],
  ) => EmailContent
  const { subject, paragraphs, action } = template(message, site, link, lines)
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
  const end = unsubscribe ? ` <a href="${escapeHtml(unsubscribe)}" style="color:inherit">Unsubscribe</a>` : ''
  return {
    subject: subject.includes(site.brand) ? subject : `${subject} · ${site.brand}`,
    text: [
      ...paragraphs,
      ...(address ? [address] : []),
      `Questions? Write to ${site.contact}.`,
      ...(unsubscribe ? [`Unsubscribe: ${unsubscribe}`] : []),
    ].join('\n\n'),
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f4f1;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;color:#26221e">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:22px;font-weight:600">${escapeHtml(subject)}</h1>
${body}
${button}
<p style="margin:0;font-size:14px;line-height:1.5;color:#6b645c">Questions? Write to <a href="mailto:${contact}" style="color:inherit">${contact}</a>.${end}</p>
</div>
</body>
</html>
`,
  }
}
