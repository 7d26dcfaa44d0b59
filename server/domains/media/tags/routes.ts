import type { Handlers } from '../../../handler.ts'
import { presentTag } from '../present.ts'
import { addTag } from './actions.ts'
import { listSuggestedTags, listTags } from './data.ts'

export const tagHandlers = {
  async tags({ db, query }) {
    const [tags, suggested] = await Promise.all([listTags(db, query), listSuggestedTags(db)])
    return { tags: tags.map(presentTag), suggested: suggested.map(presentTag) }
  },

  async addTag({ db, viewer, body, now }) {
    return presentTag(await addTag(db, { name: body.name, createdBy: viewer.id, now }))
  },
} satisfies Partial<Handlers>
