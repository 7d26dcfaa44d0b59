import type { Delivery } from '../../../../contract/notifications.ts'

/** The site as its mails name it. */
export type EmailContext = { brand: string; publicUrl: string; contact: string }

export type Message = Delivery['message']
export type MessageOf<Kind extends Message['kind']> = Extract<Message, { kind: Kind }>

export type EmailContent = {
  subject: string
  /** Plain text, a few sentences each; line ends stay. */
  paragraphs: string[]
  /** Where the mail leads: a path of this site, and what stands on the button. */
  action?: { label: string; path: string }
}

/** A template for each of some kinds. None but the operator's carries words that a person typed for somebody else to read. */
export type Templates = {
  [Kind in Message['kind']]?: (
    message: MessageOf<Kind>,
    site: EmailContext,
    link: string,
    lines?: readonly string[],
  ) => EmailContent
}

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
/** `Nov 21, 2026`, of a day such as `2026-11-21`. */
export const readableDate = (day: string) => DATE.format(new Date(day))

/** `1 item`, `2 items`. */
export const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
