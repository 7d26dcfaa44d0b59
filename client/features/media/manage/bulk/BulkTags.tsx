import { useState } from 'react'
import { MAX_TAGS_PER_ITEM } from '../../../../../contract/constants.ts'
import { TagSelect } from '../../tags/TagSelect.tsx'
import { useTagsOf } from '../../tags/use-tags.ts'
import { BulkForm, type BulkProps } from './BulkForm.tsx'
import styles from './BulkTags.module.css'

/** Most tags that are offered for being taken away. */
const MAX_CARRIED = 100

/** Tags that all the items get, and tags that those who carry them lose. */
export function BulkTags({ items, onDone }: BulkProps) {
  const [added, setAdded] = useState<string[]>([])
  const [removed, setRemoved] = useState<readonly string[]>([])
  const carried = carriedBy(items)
  const names = new Map(useTagsOf(carried.map(([id]) => id)).map(({ _id, name }) => [_id, name]))
  const nothing = added.length + removed.length === 0
  return (
    <BulkForm
      items={items}
      onDone={onDone}
      change={nothing ? null : { addTagIds: added, removeTagIds: [...removed] }}
    >
      <TagSelect
        label="Add tags"
        value={added}
        onChange={(ids) => {
          setAdded(ids)
          setRemoved(removed.filter((id) => !ids.includes(id)))
        }}
        description={`An item carries at most ${MAX_TAGS_PER_ITEM}.`}
        creatable
      />
      {carried.length > 0 && (
        <fieldset className={styles.carried}>
          <legend className={styles.legend}>Remove tags</legend>
          {carried.map(([id, count]) => (
            <label key={id} className={styles.tag}>
              <input
                type="checkbox"
                className={styles.check}
                checked={removed.includes(id)}
                disabled={
                  added.includes(id) || (!removed.includes(id) && removed.length >= MAX_TAGS_PER_ITEM)
                }
                onChange={(event) =>
                  setRemoved(
                    event.currentTarget.checked ? [...removed, id] : removed.filter((one) => one !== id),
                  )
                }
              />
              <span className={styles.name}>{names.get(id) ?? '…'}</span>
              <span className={styles.count}>
                {count} of {items.length}
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </BulkForm>
  )
}

/** The ids of the tags that the items carry, with how many carry them, most first. */
function carriedBy(items: BulkProps['items']): [id: string, count: number][] {
  const counts = new Map<string, number>()
  for (const id of items.flatMap(({ tagIds }) => tagIds)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one).slice(0, MAX_CARRIED)
}
