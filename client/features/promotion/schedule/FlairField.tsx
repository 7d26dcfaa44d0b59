import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { flairQuery } from '../parts/api.ts'
import { ForumFailure } from '../parts/ForumFailure.tsx'
import styles from './schedule.module.css'
import { cardTexts as texts } from './texts.ts'

type FlairFieldProps = {
  subreddit: string
  /** The id of a flair; empty for none. */
  value: string
  onChange: (flairId: string) => void
  /** The subreddit asks for one. */
  required?: boolean
}

/** A choice of the subreddit’s flair, which the forum is asked for once somebody wants it. */
export function FlairField({ subreddit, value, onChange, required = false }: FlairFieldProps) {
  const [isWanted, setWanted] = useState(value !== '')
  const isOpen = isWanted || required
  const { data, error, isPending } = useQuery({ ...flairQuery(subreddit), enabled: isOpen })
  if (!isOpen)
    return (
      <div>
        <Button variant="default" size="sm" onClick={() => setWanted(true)}>
          {texts.chooseFlair}
        </Button>
      </div>
    )
  if (data && !data.known) return <p className={styles.quiet}>{texts.flairUnknown}</p>
  if (data?.items.length === 0) return <p className={styles.quiet}>{texts.noFlairThere}</p>
  if (data)
    return (
      <SelectField
        label={texts.flair}
        value={value}
        onChange={onChange}
        choices={[
          { value: '', label: texts.noFlair },
          ...data.items.map(({ id, text }) => ({ value: id, label: text })),
        ]}
      />
    )
  if (isPending) return <SkeletonLines lines={2} />
  return <ForumFailure error={error} />
}
