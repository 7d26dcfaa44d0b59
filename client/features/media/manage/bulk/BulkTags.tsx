import { MAX_TAGS_PER_ITEM } from '../../../../../contract/constants.ts'
import { TagSelect } from '../../tags/TagSelect.tsx'
import { useTagsOf } from '../../tags/use-tags.ts'
import { texts } from '../texts.ts'
import { BulkForm, type BulkProps } from './BulkForm.tsx'
import styles from './BulkTags.module.css'

/** Most tags that are offered for being taken away. */
const MAX_CARRIED = 100

/** Tags to add to all items, and tags to remove from those that have them. */
export function BulkTags({ items, ...told }: BulkProps) {
  const carried = carriedBy(items)
  const names = new Map(useTagsOf(carried.map(([id]) => id)).map(({ _id, name }) => [_id, name]))
  return (
    <BulkForm
      items={items}
      {...told}
      initial={{ addTagIds: [] as string[], removeTagIds: [] as string[] }}
      changeOf={(tags) => (tags.addTagIds.length + tags.removeTagIds.length === 0 ? {} : tags)}
    >
      {(form) => (
        <>
          <TagSelect
            label={texts.bulkTags.add}
            {...form.field('addTagIds')}
            onChange={(ids) => {
              form.set('addTagIds', ids)
              form.set('removeTagIds', (removed) => removed.filter((id) => !ids.includes(id)))
            }}
            description={texts.bulkTags.most}
            creatable
          />
          {carried.length > 0 && (
            <fieldset className={styles.carried}>
              <legend className={styles.legend}>{texts.bulkTags.remove}</legend>
              {carried.map(([id, count]) => (
                <label key={id} className={styles.tag}>
                  <input
                    type="checkbox"
                    className={styles.check}
                    checked={form.values.removeTagIds.includes(id)}
                    disabled={isFixed(id, form.values)}
                    onChange={({ currentTarget: { checked } }) =>
                      form.set('removeTagIds', (removed) =>
                        checked ? [...removed, id] : removed.filter((one) => one !== id),
                      )
                    }
                  />
                  <span className={styles.name}>{names.get(id) ?? '…'}</span>
                  <span className={styles.count}>{texts.bulkTags.of(count, items.length)}</span>
                </label>
              ))}
            </fieldset>
          )}
        </>
      )}
    </BulkForm>
  )
}

/** Whether a tag can't be marked for removal: it is being added, or the most are marked already. */
function isFixed(id: string, { addTagIds, removeTagIds }: { addTagIds: string[]; removeTagIds: string[] }) {
  return addTagIds.includes(id) || (!removeTagIds.includes(id) && removeTagIds.length >= MAX_TAGS_PER_ITEM)
}

/** The ids of the items' tags, with how many items have each, most first. */
function carriedBy(items: BulkProps['items']): [id: string, count: number][] {
  const counts = new Map<string, number>()
  for (const id of items.flatMap(({ tagIds }) => tagIds)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one).slice(0, MAX_CARRIED)
}
