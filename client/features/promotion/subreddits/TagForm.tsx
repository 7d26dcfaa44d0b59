import { subredditRoutes } from '../../../../contract/routes/promotion/subreddits.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { toast } from '../../../ui/toast.ts'
import { tagChanges } from './api.ts'
import styles from './subreddits.module.css'
import { tagTexts as texts } from './texts.ts'

const EMPTY = { name: '' }

/** The form for another tag of subreddits. */
export function TagForm() {
  const form = useContractForm(subredditRoutes.addSubredditTag, {
    initial: EMPTY,
    afterSaved: () => ({ saved: EMPTY, values: EMPTY }),
    onSuccess: ({ name }) => toast.success(texts.added(name)),
    meta: tagChanges,
    lost: null,
  })
  return (
    <ContractForm form={form} className={styles.adding} label={texts.add}>
      <TextField label={texts.name} autoComplete="off" {...form.field('name')} />
      <Button type="submit" variant="default" loading={form.pending}>
        {texts.add}
      </Button>
      <div className={styles.addingError}>
        <FormError>{form.error}</FormError>
      </div>
    </ContractForm>
  )
}
