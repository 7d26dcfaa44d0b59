import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { senatorRoutes } from '../../../../contract/routes/compliance/senators.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FieldPair } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { Section } from '../../../ui/Page.tsx'
import { toast } from '../../../ui/toast.ts'
import { takesForms } from '../../../ui/UnsavedChanges.tsx'
import { SENATE, senatorsQuery } from '../senate.ts'
import { useSetSenators } from './api.ts'
import { texts } from './texts.ts'

const words = texts.senators

/** Where the operator corrects the senators that visitors in restricted regions are shown; the state stands in the address. */
export function SenatorEditor() {
  const { data } = useQuery(senatorsQuery)
  const [address, change] = useAddress()
  const code = address.get('state') ?? ''
  const state = data?.items.find((item) => item.code === code)
  return (
    <Section title={words.title}>
      <Card>
        <NativeSelect
          label={words.state}
          description={words.stateHint}
          value={code}
          onChange={(event) =>
            change({ state: event.currentTarget.value }, { replace: true, state: takesForms })
          }
          data={[
            { value: '', label: words.choose },
            ...SENATE.map(({ code: value, name }) => ({ value, label: name })),
          ]}
          maw="31rem"
          size="md"
          mb={state ? 'lg' : 0}
        />
        {state && <Seats key={code} code={code} seats={state.senators} />}
      </Card>
    </Section>
  )
}

function Seats({ code, seats }: { code: string; seats: { name: string; telephone: string }[] }) {
  const save = useSetSenators()
  const form = useContractForm(senatorRoutes.setSenators, {
    initial: { senators: seats, reason: '' },
    body: (values) => ({ code, ...values }),
    send: (body) => save.mutateAsync(body),
    afterSaved: (_answer, sent, now) => ({
      saved: { ...sent, reason: '' },
      values: { ...now, reason: '' },
    }),
    onSuccess: () => toast.success(words.saved),
    lost: words.lost,
  })
  const set = (seat: number, field: 'name' | 'telephone') => (text: string) =>
    form.set('senators', (now) => now.map((one, index) => (index === seat ? { ...one, [field]: text } : one)))
  return (
    <ContractForm form={form}>
      {form.values.senators.map((senator, seat) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a seat is its place.
        <FieldPair key={seat}>
          <TextField
            label={words.senator(seat + 1)}
            value={senator.name}
            onChange={set(seat, 'name')}
            error={form.errorAt(`senators.${seat}.name`)}
            required
          />
          <TextField
            label={words.telephone(seat + 1)}
            value={senator.telephone}
            onChange={set(seat, 'telephone')}
            error={form.errorAt(`senators.${seat}.telephone`)}
            required
          />
        </FieldPair>
      ))}
      <TextField label={words.reason} description={words.reasonHint} required {...form.field('reason')} />
      <FormError>{form.error}</FormError>
      <div>
        <Button type="submit" loading={form.pending}>
          {words.save}
        </Button>
      </div>
    </ContractForm>
  )
}
