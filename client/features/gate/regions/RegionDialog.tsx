import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { regionRoutes } from '../../../../contract/routes/compliance/regions.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldPair } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Region, regionsQuery, useSetRegion } from './api.ts'
import { texts } from './texts.ts'

const words = texts.dialog

/** Adds a restricted region, or changes the one given. */
export function RegionDialog({ region, onClose }: { region?: Region; onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={region ? words.change(region.name) : words.add}>
      <RegionForm region={region} onSaved={onClose} />
    </Dialog>
  )
}

function RegionForm({ region, onSaved }: { region: Region | undefined; onSaved: () => void }) {
  const save = useSetRegion()
  const { data } = useQuery(regionsQuery)
  /** To add it would change it, whatever it says about VPNs now. */
  const isListed = (country: string, code: string) =>
    data?.items.some((one) => one.country === country && one.code === code)
  const form = useContractForm(regionRoutes.setRegion, {
    initial: {
      country: region?.country ?? 'US',
      code: region?.code ?? '',
      name: region?.name ?? '',
      vpnHint: region?.vpnHint ?? true,
      reason: '',
    },
    check: ({ country, code }) =>
      !region && isListed(country.trim().toUpperCase(), code.trim().toUpperCase())
        ? { code: words.listed }
        : {},
    send: (body) => save.mutateAsync(body),
    onSuccess: (_answer, { name }) => {
      toast.success(region ? words.saved(name) : words.restricted(name))
      onSaved()
    },
    lost: region ? words.lost : words.lostNew,
  })
  return (
    <ContractForm form={form}>
      <TextField label={words.name} {...form.field('name')} required />
      <FieldPair>
        <TextField
          label={words.country}
          description={words.countryHint}
          {...form.field('country')}
          readOnly={region !== undefined}
          required
        />
        <TextField
          label={words.code}
          description={words.codeHint}
          {...form.field('code')}
          readOnly={region !== undefined}
          required
        />
      </FieldPair>
      <Switch
        checked={!form.values.vpnHint}
        onChange={(event) => form.set('vpnHint', !event.currentTarget.checked)}
        label={words.noVpn}
        description={words.noVpnHint}
        size="md"
      />
      <TextField label={words.reason} description={words.reasonHint} {...form.field('reason')} required />
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending}>
        {region ? words.save : words.restrict}
      </Button>
    </ContractForm>
  )
}
