import { editTexts as texts } from './texts.ts'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { MAX_PERFORMERS } from '../../../../contract/constants.ts'
import { performerRoutes } from '../../../../contract/routes/media/performers.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { performersQuery, useAddPerformer } from './api.ts'
import styles from './Performers.module.css'

type PerformersProps = {
  /** Ids of those who are depicted. */
  value: readonly string[]
  /** Given what was chosen before, answers what is chosen now. */
  onChange: (change: (before: string[]) => string[]) => void
  error?: string | undefined
}

/**
 * The people depicted: the creator first, then others, who can be added by name (docs/product.md, Records and
 * moderation).
 */
export function Performers({ value, onChange, error }: PerformersProps) {
  const known = useQuery(performersQuery)
  const errorId = useId()
  const toggle = (id: string, on: boolean) =>
    onChange((before) => [...before.filter((one) => one !== id), ...(on ? [id] : [])])
  return (
    <fieldset className={styles.fields} aria-describedby={error ? errorId : undefined}>
      <legend className={styles.legend}>{texts.performers.title}</legend>
      <p className={styles.hint}>{texts.performers.hint}</p>
      <Fetched query={known} waiting={<SkeletonLines lines={2} />} failed={texts.performers.loadFailed}>
        {(people) => (
          <>
            <ul className={styles.people}>
              {people.map(({ _id, name, self }) => (
                <li key={_id}>
                  <Checkbox
                    size="md"
                    radius={5}
                    classNames={{ input: styles.box ?? '' }}
                    label={self ? texts.performers.you(name) : name}
                    checked={value.includes(_id)}
                    aria-invalid={error ? true : undefined}
                    disabled={value.length >= MAX_PERFORMERS && !value.includes(_id)}
                    onChange={(event) => toggle(_id, event.currentTarget.checked)}
                  />
                </li>
              ))}
            </ul>
            {value.length >= MAX_PERFORMERS && <p className={styles.hint}>{texts.performers.most}</p>}
            <AddPerformer onAdded={(id) => toggle(id, true)} full={value.length >= MAX_PERFORMERS} />
          </>
        )}
      </Fetched>
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

function AddPerformer({ onAdded, full }: { onAdded: (id: string) => void; full: boolean }) {
  const add = useAddPerformer()
  const form = useContractForm(performerRoutes.addPerformer, {
    initial: { name: '' },
    send: ({ name }) => add.mutateAsync(name),
    afterSaved: () => ({ saved: { name: '' }, values: { name: '' } }),
    onSuccess: ({ _id }) => onAdded(_id),
    lost: null,
  })
  return (
    <>
      {/* Not a form of its own, which can't be nested in another, so Enter is handled here. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the key is pressed in the field within. */}
      <div
        className={styles.add}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
          event.preventDefault()
          if (!full) form.submit()
        }}
      >
        <TextField label={texts.performers.another} autoComplete="off" {...form.field('name')} />
        <Button variant="default" onClick={form.submit} loading={form.pending} disabled={full}>
          {texts.performers.add}
        </Button>
      </div>
      <FormError>{form.error}</FormError>
    </>
  )
}
