import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_FLAIR_LENGTH } from '../../../../contract/promotion.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { TextInput } from '../../../ui/fields/TextInput.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { flairQuery } from '../parts/api.ts'
import { ForumFailure } from '../parts/ForumFailure.tsx'
import styles from './schedule.module.css'
import { cardTexts as texts } from './texts.ts'

/** The id of a flair, empty for none, and its text where people write their own. */
type ChosenFlair = { id: string; text: string }

type FlairFieldProps = {
  subreddit: string
  value: ChosenFlair
  onChange: (flair: ChosenFlair) => void
  /** The subreddit asks for one. */
  required?: boolean
}

/** A choice of the subreddit’s flair, which the forum is asked for once somebody wants it, with the text of those that take one. */
export function FlairField({ subreddit, value, onChange, required = false }: FlairFieldProps) {
  const [isWanted, setWanted] = useState(value.id !== '')
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
  if (data) {
    const templateOf = (flairId: string) => data.items.find(({ id }) => id === flairId)
    const choose = (id: string) => {
      // Once one is chosen the subreddit asks for none any more, and the choice stays in sight.
      setWanted(true)
      const template = templateOf(id)
      onChange({ id, text: template?.editable ? template.text : '' })
    }
    return (
      <>
        <SelectField
          label={texts.flair}
          value={value.id}
          onChange={choose}
          choices={[
            { value: '', label: texts.noFlair },
            ...data.items.map(({ id, text }) => ({ value: id, label: text })),
          ]}
        />
        {templateOf(value.id)?.editable && (
          <TextInput
            label={texts.flairText}
            description={texts.flairTextHint}
            maxLength={MAX_FLAIR_LENGTH}
            autoComplete="off"
            value={value.text}
            onChange={(event) => onChange({ ...value, text: event.currentTarget.value })}
          />
        )}
      </>
    )
  }
  if (isPending) return <SkeletonLines lines={2} />
  return <ForumFailure error={error} />
}
