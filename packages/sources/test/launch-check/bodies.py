"""What the providers' own clients make of the bodies of requests: lines {id, text} in, {id, parsed} or {id, error} out; the
text is the body as JSON. The only argument is the client. Nothing is sent.
"""

import json
import sys

# First, because it keeps the output for the replies
from replies import reply


def known(model, body):
    unknown = set(body) - {field.alias or name for name, field in model.model_fields.items()}
    if unknown:
        raise ValueError(f"{model.__name__} has no {', '.join(sorted(unknown))}")
    return model.model_validate(body).model_dump(mode="json")


def hyperstack():
    from hyperstack.models.create_instances_payload import CreateInstancesPayload

    return lambda body: known(CreateInstancesPayload, body)


def ecsapi():
    from ecsapi._server import ServerCreateRequest

    return lambda body: known(ServerCreateRequest, body)


def verda():
    from verda.instances import InstancesService

    class Http:
        def post(self, path, json):
            raise Sent(json)

    class Sent(Exception):
        pass

    def parse(body):
        given = {**body, "location": body["location_code"]}
        del given["location_code"]
        try:
            InstancesService(Http()).create(**given)
        except Sent as sent:
            changed = {name for name, value in body.items() if sent.args[0].get(name) != value}
            if changed:
                raise ValueError(f"it sends another {', '.join(sorted(changed))}")
            return sent.args[0]

    return parse


parse = {"hyperstack": hyperstack, "ecsapi": ecsapi, "verda": verda}[sys.argv[1]]()
reply(lambda text: {"parsed": parse(json.loads(text))})
