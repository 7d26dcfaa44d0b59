import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { RECOMMENDED_LIST_NAMES } from '../../../../contract/promotion.ts'
import { subredditListRoutes } from '../../../../contract/routes/promotion/lists.ts'
import { may, useCurrentUser } from '../../../lib/session.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { toast } from '../../../ui/toast.ts'
import { type ListInShort, listChanges } from './api.ts'
import styles from './lists.module.css'
import { listTexts as texts } from './texts.ts'

const EMPTY = { title: '', siteWide: false }

/** Creates a list by its title; recommended titles that no list has yet are offered. */
export function NewListForm({ known }: { known: readonly ListInShort[] }) {
  const me = useCurrentUser()
  const form = useContractForm(subredditListRoutes.createSubredditList, {
    initial: EMPTY,
    afterSaved: () => ({ saved: EMPTY, values: EMPTY }),
    onSuccess: ({ title }) => toast.success(texts.created(title)),
    meta: listChanges,
    lost: null,
  })
  const { siteWide } = form.values
  const used = new Set(
    known.filter((list) => list.siteWide === siteWide).map(({ title }) => title.toLowerCase()),
  )
  const offered = RECOMMENDED_LIST_NAMES.filter((name) => !used.has(name))
  return (
    <Card>
      <ContractForm form={form} label={texts.create}>
        <TextField label={texts.name} autoComplete="off" required {...form.field('title')} />
        {offered.length > 0 && (
          <fieldset className={styles.suggestions}>
            <legend className={styles.few}>{texts.recommended}</legend>
            <div className={styles.chips}>
              {offered.map((name) => (
                <Button
                  key={name}
                  variant="default"
                  size="sm"
                  aria-pressed={form.values.title === name}
                  onClick={() => form.set('title', name)}
                >
                  {name}
                </Button>
              ))}
            </div>
          </fieldset>
        )}
        {may(me, 'subreddits.edit') && (
          <Switch
            size="md"
            label={texts.siteWide}
            description={texts.siteWideHint}
            checked={siteWide}
            onChange={(event) => form.set('siteWide', event.currentTarget.checked)}
          />
        )}
        <FormError>{form.error}</FormError>
        <div>
          <Button type="submit" loading={form.pending}>
            {texts.submit}
          </Button>
        </div>
      </ContractForm>
    </Card>
  )
}
