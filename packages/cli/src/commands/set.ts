import { command, type Command } from '../command.ts'
import { readNamed } from '../input/read-named.ts'
import { settingFrom } from '../input/setting.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { operand, operandOrNone, sessionOperand } from '../words/operand.ts'
import { flag, text } from '../words/option.ts'
import { UsageError } from '../words/usage-error.ts'
import { commandOptions, writing } from '../words/writing.ts'

const set: Command = command({
  description: `Changes a setting; without a value it is taken away. The same value again writes nothing.
Settings: model, system-prompt, workspace, goal, hidden (true or false), read-mark (a revision), reaction (an emoji, with
--message), and a host's own as host.NAME with a JSON value.`,
  operands: {
    session: sessionOperand,
    setting: operand('SETTING', 'its name'),
    value: operandOrNone('VALUE', 'its value: else it is taken away'),
  },
  options: {
    file: text('F', 'file with the value, such as a long prompt; `-` is standard input'),
    provider: text('P', 'whose the model is'),
    message: text('MESSAGE', 'the message that a reaction is on'),
    author: text('A', 'whose reaction it is: else `person`'),
    remove: flag('takes the reaction away'),
    ...writing,
  },
  examples: [
    'refold set fingerprint-scanner model opus --provider anthropic',
    'refold set fingerprint-scanner system-prompt --file prompt.md',
    'refold set fingerprint-scanner reaction 👍 --message m12',
    `refold set fingerprint-scanner host.theme '"dark"'`,
  ],
  run: async ({ operands, options, place, terminal }) => {
    const { file, provider, message, author, remove } = options
    if (file !== undefined && operands.value !== undefined) throw new UsageError('Give VALUE or --file, not both.')
    const value = file === undefined ? operands.value : await readNamed(file, place, terminal)
    const setting = settingFrom({ name: operands.setting, value, provider, message, author, remove })
    return useSession(place, operands.session, async (handle) =>
      done(
        await handle.set(setting, commandOptions(options)),
        ({ session }) => `Set ${operands.setting} of ${session}.`,
      ),
    )
  },
})

export default set
