/** What mails say of the site that sends them. */
export type EmailContext = { brand: string; publicUrl: string; contact: string }

export type EmailContent = {
  subject: string
  /** One sentence or two each, without markup. */
  paragraphs: string[]
  /** Where the mail leads: a path of this site, and what stands on the button. */
  action?: { label: string; path: string }
}

/** A short mail in the site's look, as plain text and HTML; everything in it is escaped. */
export function renderEmail(
  site: EmailContext,
  { subject, paragraphs, action }: EmailContent,
): { subject: string; text: string; html: string } {
  const link = action ? `${site.publicUrl}${action.path}` : null
  const contact = escapeHtml(site.contact)
  const body = paragraphs
    .map((text) => `<p style="margin:0 0 16px;font-size:16px;line-height:1.5">${escapeHtml(text)}</p>`)
    .join('\n')
  const button =
    action && link
      ? `<p style="margin:8px 0 24px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#26221e;color:#ffffff;font-size:16px;text-decoration:none">${escapeHtml(action.label)}</a></p>`
      : ''
  return {
    subject: `${subject} · ${site.brand}`,
    text: [...paragraphs, ...(link ? [link] : []), `Questions? Write to ${site.contact}.`].join('\n\n'),
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

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
