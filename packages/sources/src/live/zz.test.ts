import { test } from "vitest";
import { findLiveSource } from "./live-sources.js";
import { readBody, readRecording, recordedBytes, recordedFolder } from "./recordings.fixture.js";
import { recordedResponses, type Recorded } from "./recording.js";
const G="data/gpuhunt-fixtures/";
const rec=(url:string,f:string):Recorded=>({method:"GET",url,status:200,headers:{},body:recordedBytes(f)});
const cases:[string,()=>any][]=[
 ["vast",()=>recordedBytes("live/vast/bundles-h100-2026-07-18.json")],
 ["runpod",()=>recordedBytes("live/runpod/graphql-gputypes-2026-07-18.json")],
 ["verda",()=>recordedBytes("live/verda/instance-types-excerpt-2026.json")],
 ["verda",()=>recordedResponses([rec("https://x/v1/instance-types",G+"verda_instance_types.json"),rec("https://x/v1/instance-availability",G+"verda_availabilities.json"),rec("https://x/v1/locations",G+"verda_locations.json")])],
 ["vultr",()=>recordedBytes(G+"vultr_plans.json")],
 ["vultr",()=>recordedBytes(G+"vultr_plans_metal.json")],
 ["linode",()=>recordedFolder("live/linode")],
 ["linode",()=>recordedBytes("live/linode/types-0.json")],
 ["lambda",()=>recordedBytes("live/lambda/instance-types-2026-08-20-trimmed.json")],
 ["digitalocean",()=>recordedBytes(G+"digitalocean_sizes.json")],
 ["latitude",()=>recordedFolder("live/latitude")],
 ["oci",()=>recordedBytes("live/oci/products-gpu-2026-10-01.json")],
 ["azure",()=>recordedBytes("live/azure/retail-h100-westeurope-2026-08.json")],
 ["azure",()=>recordedBytes("live/azure/retail-items-excerpt-2026.json")],
 ["aws",()=>recordedBytes("live/aws/website-ondemand-us-east-1-gpu-rows-2026.json")],
 ["aws",()=>recordedBytes("live/aws/spot-advisor-data-2025-06.json")],
 ["ovhcloud",()=>recordedBytes("live/ovhcloud/order-catalog-public-cloud-trimmed-2026-08.json")],
 ["lium",()=>recordedBytes("live/lium/executors-excerpt-2026-08-22.json")],
 ["voltagepark",()=>recordedBytes("live/voltagepark/instant-deploy-presets-2026-08.json")],
 ["primeintellect",()=>recordedBytes("data/primeintellect/availability_response.json")],
 ["scaleway",()=>recordedFolder("live/scaleway/fr-par-1")],
];
const only=process.env["ONLY"];
for (const [name,make] of cases) test(name, async()=>{
  const s=findLiveSource(name); if(!s|| (only && !only.split(",").includes(name))) return;
  const m=make(); let items; try { items= m instanceof Uint8Array? await readBody(s,m): await readRecording(s,m);} catch(e:any){console.log(name,"ERR",e.name,e.message);return;}
  const out=[`### ${name} ${items.length}`];
  for (const i of items) { if(i.kind==="offer"){const o=i.offer; out.push(`${o.gpu.slug} x${o.gpuCount} ${o.gpu.vramGB}GB $${o.priceHourly} (${o.pricePerGpu}) ${o.isAvailable?"AVAIL":"-"} ${o.region} ${o.regionInfo.countryCode}/${o.regionInfo.cityState} cpu${o.specs.vcpu} ram${o.specs.ram} disk${o.specs.disk} st${o.storageCostPerGB}:${o.storageMinGB}-${o.storageMaxGB} ${o.costDataComplete?"":"INC"} ${o.nvlinkEnabled?"NVL":""} ${o.interconnect??""} ${o.deploymentType} ${i.scope??""}`)} else if(i.kind==="refusal") out.push(`REF ${i.where} ${i.code} ${i.reason}`); else if (i.kind==="note") out.push("NOTE "+i.note); }
  const sk=items.filter(i=>i.kind==="skipped").length; out.push(`skipped ${sk}`);
  console.log(out.join("\n"));
});
