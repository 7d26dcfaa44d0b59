import type { z } from 'zod'
import type { Tag } from '../../../../contract/routes/media/tags.ts'
import type { TagRow } from './data.ts'

export function presentTag({ id, name }: TagRow): z.input<typeof Tag> {
  return { _id: id, name }
}
