import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '../../../lib/api.ts'
import { FieldGroup } from '../../../ui/FieldGroup.tsx'
import { tagsQuery } from './api.ts'
import styles from './subreddits.module.css'
import { fieldTexts, tagTexts } from './texts.ts'

type TagChoiceProps = {
  /** Ids of the tags. */
  value: readonly string[]
  onChange: (tagIds: string[]) => void
  error?: string | undefined
}

/** Some tags of subreddits, all of them in sight. */
export function TagChoice({ value, onChange, error }: TagChoiceProps) {
  const tags = useQuery(tagsQuery)
  const failed = tags.error && !tags.data ? errorMessage(tags.error) : null
  return (
    <FieldGroup legend={fieldTexts.tags} error={error ?? failed}>
      <div className={styles.chips}>
        {tags.data?.items.length === 0 && <p className={styles.quiet}>{tagTexts.none}</p>}
        {tags.data?.items.map(({ _id, name }) => {
          const isChosen = value.includes(_id)
          return (
            <button
              key={_id}
              type="button"
              className={styles.chip}
              aria-pressed={isChosen}
              onClick={() => onChange(isChosen ? value.filter((one) => one !== _id) : [...value, _id])}
            >
              {name}
            </button>
          )
        })}
      </div>
    </FieldGroup>
  )
}
