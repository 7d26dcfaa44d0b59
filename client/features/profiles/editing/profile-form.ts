import type { Input } from '../../../../contract/route.ts'
import type { profileRoutes } from '../../../../contract/routes/profiles/profiles.ts'
import type { Person } from '../../../lib/session.tsx'

/** One row of the links editor; `key` is the row's own for as long as the form is open. */
export type LinkRow = { key: string; text: string; link: string }

/** The form's values. */
export type ProfileForm = {
  firstName: string
  lastName: string
  username: string
  redditUsername: string
  /** Whether creators see who this is when they write to them on the forum. */
  recognizable: boolean
  email: string
  bio: string
  menu: string
  limits: string
  links: LinkRow[]
  /** Another picture, cut to its shape; null for the one that is there. */
  profileImage: Blob | null
  profileHeroImage: Blob | null
}

/** The form as the person stands now. */
export function profileFormOf(person: Person): ProfileForm {
  const { firstName, lastName, username, redditUsername, recognizable, email, bio, menu, limits, links } =
    person
  const rows = links.map(({ _id, text, link }) => ({ key: _id, text, link }))
  const words = { firstName, lastName, username, redditUsername, recognizable, email, bio, menu, limits }
  return { ...words, links: rows, profileImage: null, profileHeroImage: null }
}

/** Whether anything of the form would be lost by leaving; rows that were left empty are nothing. */
export function profileChanged(form: ProfileForm, saved: ProfileForm): boolean {
  const said = ({ links, ...words }: ProfileForm) =>
    JSON.stringify([words, filledLinks(links).map(({ text, link }) => [text, link])])
  return said(form) !== said(saved)
}

/** Rows that were left empty are no links. */
export function filledLinks(links: readonly LinkRow[]): LinkRow[] {
  return links.filter(({ text, link }) => text.trim() !== '' || link.trim() !== '')
}

/** An address as people type it: without a scheme it is meant to be `https://`. */
export function completeAddress(typed: string): string {
  const address = typed.trim()
  return address === '' || /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`
}

/** The links as they are sent. */
export function sentLinks(links: readonly LinkRow[]): string {
  return JSON.stringify(filledLinks(links).map(({ text, link }) => ({ text, link: completeAddress(link) })))
}

/** What differs from what is saved: sent alone, an older tab takes nothing back that was saved in another one. */
export function changeOf(
  form: ProfileForm,
  saved: ProfileForm,
): Input<typeof profileRoutes.editProfile>['body'] {
  const { links, recognizable, profileImage: _, profileHeroImage: _hero, ...words } = form
  const changed = Object.entries(words).filter(([name, word]) => word !== saved[name as keyof typeof words])
  return {
    ...Object.fromEntries(changed),
    ...(recognizable === saved.recognizable ? {} : { recognizable: recognizable ? 'true' : 'false' }),
    ...(sentLinks(links) === sentLinks(saved.links) ? {} : { links: sentLinks(links) }),
  }
}

/** Moves an error at `links.2.text` of the sent links to the row that it was. */
export function rowPath(path: string, links: readonly LinkRow[]): string {
  const [field, sent, name] = path.split('.')
  const row = field === 'links' ? filledLinks(links)[Number(sent)] : undefined
  return row ? `links.${links.indexOf(row)}.${name}` : path
}
