import { tabStorage } from '../../../lib/storage.ts'

/** The sign-up with nothing typed. */
export const EMPTY = {
  firstName: '',
  lastName: '',
  email: '',
  redditUsername: '',
  username: '',
  password: '',
  confirmation: '',
  isCreator: null as 'true' | 'false' | null,
}

/** What the sign-up holds. */
export type SignupValues = typeof EMPTY

const KEY = 'signup'

/** What was typed in this tab before a reload; nothing where that can't be read. */
export function keptForm(): Partial<SignupValues> {
  try {
    const kept: unknown = JSON.parse(tabStorage()?.getItem(KEY) ?? '{}')
    const texts = Object.entries(kept as object).filter(
      ([, value]) => typeof value === 'string' && value !== '',
    )
    return Object.fromEntries(texts)
  } catch {
    return {}
  }
}

/** Keeps the typed values, but no password, and nothing that was only `offered`. */
export function keepForm(values: SignupValues, offered: Partial<SignupValues>): void {
  const { password: _, confirmation: __, ...typed } = values
  const own = Object.entries(typed).filter(([name, value]) => value !== offered[name as keyof SignupValues])
  try {
    tabStorage()?.setItem(KEY, JSON.stringify(Object.fromEntries(own)))
  } catch {
    // A full storage costs no more than what a reload would keep.
  }
}

/** Forgets it once somebody logs in: the next person to sign up in this tab must not get it. */
export function forgetForm(): void {
  tabStorage()?.removeItem(KEY)
}
