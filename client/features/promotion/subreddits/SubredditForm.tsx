import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { subredditRoutes } from '../../../../contract/routes/promotion/subreddits.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FieldPair } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { changesOf } from '../parts/edited.ts'
import { verificationLabel } from '../parts/label-texts.ts'
import { AnswerField } from './AnswerField.tsx'
import { type Subreddit, subredditChanges, subredditQuery } from './api.ts'
import { bodyOf, limitErrors, type SubredditFormState, valuesOf } from './form.ts'
import { LimitFields } from './LimitFields.tsx'
import styles from './subreddits.module.css'
import { TagChoice } from './TagChoice.tsx'
import { fieldTexts, subredditTexts as texts } from './texts.ts'

type SubredditFormProps = {
  name: string
  /** The stored facts; null for a subreddit that saving starts to track. */
  subreddit: Subreddit | null
}

/** The operator’s notes on a subreddit’s rules: every field of them (docs/product.md, Promotion). */
export function SubredditForm({ name, subreddit }: SubredditFormProps) {
  const client = useQueryClient()
  const form = useContractForm(subredditRoutes.editSubreddit, {
    initial: valuesOf(subreddit),
    body: (values, kept) => bodyOf(name, values, kept),
    check: limitErrors,
    // What another operator saved is shown with it; what was typed meanwhile stays.
    afterSaved: (answer, sent, now) => {
      const saved = valuesOf(answer)
      return { saved, values: { ...saved, ...changesOf(now, sent) } }
    },
    onSuccess: (saved) => {
      client.setQueryData(subredditQuery(name).queryKey, saved)
      toast.success(texts.updated)
    },
    meta: subredditChanges,
    lost: texts.lost,
  })
  return (
    <ContractForm form={form}>
      <Group title={texts.groups.about}>
        <FieldPair>
          <AnswerField
            label={fieldTexts.verificationType}
            labels={verificationLabel}
            {...form.field('verificationType')}
          />
          <AnswerField label={fieldTexts.ocSettings} labels={fieldTexts.oc} {...form.field('ocSettings')} />
        </FieldPair>
        <TagChoice {...form.field('srTagIds')} />
        <TextAreaField label={fieldTexts.notes} description={texts.notesHint} {...form.field('notes')} />
        <Toggle form={form} name="categorized" hint={texts.categorizedHint} />
      </Group>
      <Group title={texts.groups.posting}>
        <FieldPair>
          <AnswerField
            label={fieldTexts.malesAllowed}
            labels={fieldTexts.answers}
            {...form.field('malesAllowed')}
          />
          <AnswerField
            label={fieldTexts.womenOnly}
            labels={fieldTexts.answers}
            {...form.field('womenOnly')}
          />
        </FieldPair>
        <Toggle form={form} name="sellingAccountsAllowed" />
        <Toggle form={form} name="boyAndGirlRequired" />
        <Toggle form={form} name="couplesOnly" />
      </Group>
      <Group title={texts.groups.content}>
        <AnswerField
          label={fieldTexts.watermarkType}
          labels={fieldTexts.watermarks}
          {...form.field('watermarkType')}
        />
        <Toggle form={form} name="faceRequired" />
        <Toggle form={form} name="toysAllowed" />
        <Toggle form={form} name="sexActsAllowed" />
      </Group>
      <Group title={texts.groups.limits}>
        <LimitFields form={form} limit="pf" label={fieldTexts.postFrequency} />
        <LimitFields form={form} limit="rpf" label={fieldTexts.repostFrequency} />
      </Group>
      <FormError>{form.error}</FormError>
      <div>
        <Button type="submit" loading={form.pending}>
          {texts.save}
        </Button>
      </div>
    </ContractForm>
  )
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{title}</legend>
      <div className={styles.parts}>{children}</div>
    </fieldset>
  )
}

type ToggleProps = {
  form: SubredditFormState
  name:
    | 'categorized'
    | 'sellingAccountsAllowed'
    | 'boyAndGirlRequired'
    | 'couplesOnly'
    | 'toysAllowed'
    | 'sexActsAllowed'
    | 'faceRequired'
  hint?: string
}

function Toggle({ form, name, hint }: ToggleProps) {
  return (
    <Switch
      size="md"
      label={fieldTexts[name]}
      description={hint}
      checked={form.values[name]}
      onChange={(event) => form.set(name, event.currentTarget.checked)}
    />
  )
}
