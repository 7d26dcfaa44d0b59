/** What mails say of the site that sends them. */
export type Site = { brand: string; publicUrl: string; contact: string }

/**
 * The mail that confirms an address, as plain text and HTML. It carries nothing that the person typed, so that
 * nobody can have words of theirs sent to strangers.
 */
export function confirmationMail(
  site: Site,
  email: string,
  token: string,
): { subject: string; text: string; html: string } {
  const link = `${site.publicUrl}/emailconfirmation?email=${encodeURIComponent(email)}&token=${encodeURIComponent(token)}`
  const brand = escapeHtml(site.brand)
  const contact = escapeHtml(site.contact)
  return {
    subject: `Confirm your e-mail address for ${site.brand}`,
    text: [
      `Welcome to ${site.brand}.`,
      'Please confirm that this is your e-mail address by opening this link within 48 hours:',
      link,
      `If you did not sign up, you can ignore this message; nothing else will be sent to you.\nQuestions? Write to ${site.contact}.`,
    ].join('\n\n'),
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Confirm your e-mail address</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f4f1;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;color:#26221e">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:22px;font-weight:600">Welcome to ${brand}</h1>
<p style="margin:0 0 24px;font-size:16px;line-height:1.5">Please confirm that this is your e-mail address. The link works for 48 hours.</p>
<p style="margin:0 0 24px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#26221e;color:#ffffff;font-size:16px;text-decoration:none">Confirm my e-mail address</a></p>
<p style="margin:0;font-size:14px;line-height:1.5;color:#6b645c">If you did not sign up, you can ignore this message; nothing else will be sent to you. Questions? Write to <a href="mailto:${contact}" style="color:inherit">${contact}</a>.</p>
</div>
</body>
</html>
`,
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
