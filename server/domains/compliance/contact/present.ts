/** What somebody wrote to the operator. */
export type ContactMessage = {
  /** Where the answer goes. */
  email: string
  name: string
  message: string
  /** The account that it was sent from, if any. */
  username: string | null
}

/** The mail that brings a message to the operator, as plain text and HTML; the text names where the answer goes. */
export function contactMail(
  brand: string,
  { email, name, message, username }: ContactMessage,
): { subject: string; text: string; html: string } {
  const facts = [
    `Answer to: ${email}`,
    `Name: ${name || 'not given'}`,
    `Account: ${username ?? 'not logged in'}`,
  ]
  return {
    subject: `${brand}: message from ${email}`,
    text: `${facts.join('\n')}\n\n${message}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Message</title></head>
<body style="font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.5">
<p>${facts.map(escapeHtml).join('<br>')}</p>
<p style="white-space:pre-wrap">${escapeHtml(message)}</p>
</body>
</html>
`,
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
