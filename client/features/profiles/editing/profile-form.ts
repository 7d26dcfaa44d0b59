import { MAX_PROFILE_LINKS } from '../../../../contract/constants.ts'
import type { Person } from '../../../lib/session.tsx'

/** One row of the links editor; `key` is the row's own for as long as the form is open. */
export type LinkRow = { key: string; text: string; link: string }

/** What the form holds while it is filled in. */
export type ProfileForm = {
  firstName: string
  lastName: string
  username: string
  redditUsername: string
  email: string
  bio: string
  menu: string
  limits: string
  links: LinkRow[]
}

export type ProfileErrors = Partial<Record<string, string>>

/** The form as the person stands now. */
export function profileFormOf(person: Person): ProfileForm {
  const { firstName, lastName, username, redditUsername, email, bio, menu, limits, links } = person
  const rows = links.map(({ _id, text, link }) => ({ key: _id, text, link }))
  return { firstName, lastName, username, redditUsername, email, bio, menu, limits, links: rows }
}

/** Whether anything of the form would be lost by leaving; rows that were left empty are nothing. */
export function profileChanged(form: ProfileForm, saved: ProfileForm): boolean {
  const said = ({ links, ...words }: ProfileForm) =>
    JSON.stringify([words, filledLinks(links).map(({ text, link }) => [text, link])])
  return said(form) !== said(saved)
}

const LINK_INCOMPLETE = 'Each link needs both text and URL.'

/** Rows that were left empty are no links. */
export function filledLinks(links: readonly LinkRow[]): LinkRow[] {
  return links.filter(({ text, link }) => text.trim() !== '' || link.trim() !== '')
}

/** An address as people type it: without a scheme it is meant to be `https://`. */
export function completeAddress(typed: string): string {
  const address = typed.trim()
  return address === '' || /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`
}

/** What still stops the form from being sent, by field, links as `links.<key>` (docs/product.md, Texts). Empty when nothing does. */
export function profileErrors(form: ProfileForm): ProfileErrors {
  const errors: ProfileErrors = {}
  if (form.firstName.trim() === '') errors.firstName = 'Enter your first name.'
  if (form.username.trim() === '') errors.username = 'Choose a username.'
  if (form.redditUsername === '') errors.redditUsername = 'Enter your forum username.'
  if (!/^\S+@\S+\.\S+$/.test(form.email.trim())) errors.email = 'Enter a valid email address.'
  for (const { key, text, link } of filledLinks(form.links)) {
    if (text.trim() === '' || link.trim() === '') errors[`links.${key}`] = LINK_INCOMPLETE
    else if (!/^https?:\/\/[^\s/]/i.test(completeAddress(link)))
      errors[`links.${key}`] = 'Enter an address that starts with https:// or http://'
  }
  if (filledLinks(form.links).length > MAX_PROFILE_LINKS) errors.links = `At most ${MAX_PROFILE_LINKS} links.`
  return errors
}

/** What the server said of `links.2.link`, said of the row that it was. */
export function errorsAtRows(details: Record<string, string>, sent: readonly LinkRow[]): ProfileErrors {
  return Object.fromEntries(
    Object.entries(details).map(([field, sentence]) => {
      const row = sent[Number(/^links\.(\d+)\./.exec(field)?.[1])]
      return [row ? `links.${row.key}` : field, sentence]
    }),
  )
}
