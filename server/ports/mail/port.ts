/** Sends one message; resolves when the next server has accepted it, throws otherwise (the job tries again). */
export type Mail = {
  send(message: { to: string; subject: string; text: string; html: string; messageId: string }): Promise<void>
}
