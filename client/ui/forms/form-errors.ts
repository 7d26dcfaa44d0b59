import type { z } from 'zod'
import { ApiError, errorMessage } from '../../lib/api.ts'

/** What is wrong, by the path of the field: `title`, `links.2.text`. */
export type FieldErrors = Record<string, string>

/** Which field a path belongs to: `links` for `links.2.text`. */
const fieldOf = (path: string) => path.split('.')[0] ?? path

/** What the contract says of what would be sent, at the fields of the form. The rest is not for the person to mend. */
export function contractErrors(
  schema: z.ZodObject | undefined,
  sent: unknown,
  fields: readonly string[],
): FieldErrors {
  const found: FieldErrors = {}
  for (const { path, message } of schema?.safeParse(sent).error?.issues ?? []) {
    const name = path.join('.')
    if (fields.includes(fieldOf(name))) found[name] ??= message
  }
  return found
}

/** What the server said of fields that the form has. */
export function errorsAtFields(error: unknown, fields: readonly string[]): FieldErrors {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(Object.entries(error.details).filter(([path]) => fields.includes(fieldOf(path))))
}

/** What is said of the form as a whole: nothing while every sentence stands at its field. */
export function generalError(
  error: unknown,
  fields: readonly string[],
  sentence: (error: unknown) => string = errorMessage,
): string | null {
  if (!error) return null
  const details = error instanceof ApiError ? Object.entries(error.details) : []
  const elsewhere = details.filter(([path]) => !fields.includes(fieldOf(path)))
  if (details.length === 0) return sentence(error)
  return elsewhere.length > 0 ? [...new Set(elsewhere.map(([, text]) => text))].join(' ') : null
}

/** The path of an error at one of the items of a list by the item's id, which stays what it is while the list changes. */
export function pathById(path: string, list: string, ids: readonly string[]): string {
  const [field, place] = path.split('.')
  const id = field === list ? ids[Number(place)] : undefined
  return id ? `${list}.${id}` : path
}

/** The errors without those of this field and of what is in it: it was changed. */
export function withoutField(errors: FieldErrors, name: string): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => fieldOf(path) !== fieldOf(name)))
}
