import { useQuery } from '@tanstack/react-query'
import { subredditRoutes } from '../../../../contract/routes/promotion/subreddits.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Fold } from '../../../ui/Fold.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { tagChanges, tagsQuery } from './api.ts'
import styles from './subreddits.module.css'
import { tagTexts as texts } from './texts.ts'

const EMPTY = { name: '' }

/** The tags of subreddits, and the form for another. */
export function TagsAdmin() {
  const tags = useQuery(tagsQuery)
  const form = useContractForm(subredditRoutes.addSubredditTag, {
    initial: EMPTY,
    afterSaved: () => ({ saved: EMPTY, values: EMPTY }),
    onSuccess: ({ name }) => toast.success(texts.added(name)),
    meta: tagChanges,
    lost: null,
  })
  return (
    <Fold title={texts.title}>
      <div className={styles.parts}>
        <p className={styles.quiet}>{texts.about}</p>
        {!tags.data && tags.error && (
          <ErrorState title={texts.failed} error={tags.error} onRetry={() => void tags.refetch()} />
        )}
        {tags.data?.items.length === 0 && <p className={styles.quiet}>{texts.none}</p>}
        <ul className={styles.chips} aria-label={texts.list}>
          {tags.data?.items.map(({ _id, name }) => (
            <li key={_id}>
              <Tag>{name}</Tag>
            </li>
          ))}
        </ul>
        <ContractForm form={form} className={styles.adding} label={texts.add}>
          <TextField label={texts.name} autoComplete="off" {...form.field('name')} />
          <Button type="submit" variant="default" loading={form.pending}>
            {texts.add}
          </Button>
          <div className={styles.addingError}>
            <FormError>{form.error}</FormError>
          </div>
        </ContractForm>
      </div>
    </Fold>
  )
}
