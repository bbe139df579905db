/* 101d272fd80dd86041a38feb38fba077c167ccfe0cb242d2de66dd76f4b28ff5 */
(()=>{var e=document.getElementById("viewer");SwaggerUIBundle({url:e.dataset.description,domNode:e,deepLinking:!0,validatorUrl:"none",requestInterceptor:r=>(r.headers["X-CSRFToken"]=e.dataset.csrf,r)});})();
