/**
 * Sends one message; resolves when the next server has accepted it, throws otherwise (the job tries again).
 * `unsubscribeUrl`: where a POST without a login ends mails like this (RFC 8058).
 */
export type Mail = {
  send(message: {
    to: string
    subject: string
    text: string
    html: string
    messageId: string
    unsubscribeUrl?: string
  }): Promise<void>
  /** Ends the connections that are kept for further messages. */
  close(): void
}
